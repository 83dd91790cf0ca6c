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
        description: "Tells the time.",
        output: __tool_output,
        run: __tool::Run::Blocking(__tool_run),
        place: __tool::place!(),
        ..__tool::TOOL
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
