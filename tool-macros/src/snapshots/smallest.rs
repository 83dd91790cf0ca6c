/// Tells the time.
fn now() -> String {
    clock()
}
///The tool `now`, as `tools![now]` takes it.
struct now {}
const _: () = {
    use ::tool_runtime::__private as __tool;
    static __TOOL: __tool::StaticTool = __tool::StaticTool {
        name: "now",
        title: __tool::None,
        description: "Tells the time.",
        risk: __tool::Risk::Medium,
        risk_declared: false,
        confirm: __tool::ConfirmRule::ByRisk,
        behaviour: __tool::Behaviour {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: false,
            exclusive: false,
        },
        version: 1u32,
        aliases: &[],
        timeout: __tool::None,
        max_output: __tool::None,
        mask_errors: false,
        parameters: &[],
        contexts: &[],
        output: __tool_output,
        run: __tool::Run::Blocking(__tool_run),
        pinned: __tool::None,
        place: __tool::Place::new(
            __tool::module_path!(),
            __tool::file!(),
            __tool::line!(),
        ),
    };
    fn __tool_run(__tool_call: &__tool::Invocation) -> __tool::Reply {
        use __tool::{OfOther as _, OfValue as _};
        __tool::Of(__tool::Of(now()).split()?).answer()
    }
    fn __tool_output(
        __tool_schemas: &mut __tool::SchemaGenerator,
    ) -> __tool::Option<__tool::Schema> {
        use __tool::{
            SchemaOfAny as _, SchemaOfResult as _, SchemaOfType as _,
            SchemaOfUnknown as _,
        };
        (&&&&__tool::OutputOf::<String>::NEW).schema(__tool_schemas)
    }
    #[automatically_derived]
    impl __tool::Tool for now {
        const TOOL: &'static __tool::StaticTool = &__TOOL;
    }
    __tool::submit! {
        __TOOL
    }
};
