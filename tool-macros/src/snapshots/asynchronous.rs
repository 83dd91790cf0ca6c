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
        description: "Waits.",
        risk: __tool::Risk::Low,
        risk_declared: true,
        behaviour: __tool::READS,
        parameters: &[
            __tool::Parameter {
                name: "seconds",
                constraints: "\"maximum\":60",
                ty: __tool::arg::<u64>().ty(),
                ..__tool::PARAMETER
            },
        ],
        output: __tool_output,
        run: __tool::Run::Async(__tool_run),
        place: __tool::place!(),
        ..__tool::TOOL
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
