/// Waits.
pub async fn wait(seconds: u64) {
    sleep(seconds).await
}
///The tool `wait`, as `tools![wait]` takes it.
pub struct wait {}
const _: () = {
    use ::tool_runtime::__private as __tool;
    static __TOOL: __tool::StaticTool = __tool::StaticTool {
        name: "wait",
        title: __tool::None,
        description: "Waits.",
        risk: __tool::Risk::Low,
        risk_declared: true,
        confirm: __tool::ConfirmRule::ByRisk,
        behaviour: __tool::Behaviour {
            read_only: true,
            destructive: false,
            idempotent: true,
            open_world: false,
            exclusive: false,
        },
        version: 1u32,
        aliases: &[],
        timeout: __tool::None,
        max_output: __tool::None,
        mask_errors: false,
        parameters: &[
            __tool::Parameter {
                name: "seconds",
                aliases: &[],
                description: __tool::None,
                constraints: "\"maximum\":60",
                default: __tool::None,
                example: __tool::None,
                secret: false,
                ty: __tool::arg::<u64>().ty(),
            },
        ],
        contexts: &[],
        output: __tool_output,
        run: __tool::Run::Async(__tool_run),
        pinned: __tool::None,
        place: __tool::Place::new(
            __tool::module_path!(),
            __tool::file!(),
            __tool::line!(),
        ),
    };
    fn __tool_run<'a>(__tool_call: &'a __tool::Invocation) -> __tool::Running<'a> {
        use __tool::{OfOther as _, OfValue as _};
        __tool::Box::pin(async move {
            __tool::Of(
                    __tool::Of(
                            wait(__tool::arg::<u64>().read(__tool_call, 0usize)?).await,
                        )
                        .split()?,
                )
                .answer()
        })
    }
    fn __tool_output(
        __tool_schemas: &mut __tool::SchemaGenerator,
    ) -> __tool::Option<__tool::Schema> {
        use __tool::{
            SchemaOfAny as _, SchemaOfResult as _, SchemaOfType as _,
            SchemaOfUnknown as _,
        };
        (&&&&__tool::OutputOf::<()>::NEW).schema(__tool_schemas)
    }
    #[automatically_derived]
    impl __tool::Tool for wait {
        const TOOL: &'static __tool::StaticTool = &__TOOL;
    }
    __tool::submit! {
        __TOOL
    }
};
