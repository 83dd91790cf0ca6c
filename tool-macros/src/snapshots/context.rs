/// Counts.
fn count<'a>(shop: &'a Shop, name: Cow<'a, str>, call: &CallContext) -> &'a str {
    body
}
///The tool `count`, as `tools![count]` takes it.
struct count {}
const _: () = {
    use ::tool_runtime::__private as __tool;
    static __TOOL: __tool::StaticTool = __tool::StaticTool {
        name: "count",
        description: "Counts.",
        parameters: &[
            __tool::Parameter {
                name: "name",
                ty: {
                    use __tool::KindOfAny as _;
                    const _: () = __tool::hold(
                        !__tool::KindOf::<Cow<'_, str>>::KIND.is_nested_option(),
                        "`Cow<'a, str>` cannot be told from one `Option`: in JSON both kinds of nothing are null\nhelp: take one `Option`, or an enum that names the cases",
                    );
                    const _: () = __tool::hold(
                        !__tool::KindOf::<Cow<'_, str>>::KIND.is_nothing(),
                        "`Cow<'a, str>` carries nothing a model could give; leave the parameter out",
                    );
                    __tool::arg::<Cow<'_, str>>().ty()
                },
                ..__tool::PARAMETER
            },
        ],
        contexts: &[
            __tool::context::<Shop>().ty(),
            __tool::context::<CallContext>().ty(),
        ],
        output: __tool_output,
        run: __tool::Run::Inline(__tool_run),
        place: __tool::place!(),
        ..__tool::TOOL
    };
    fn __tool_run(__tool_call: &__tool::Invocation) -> __tool::Reply {
        use __tool::{OfOther as _, OfValue as _};
        __tool::Of(
                __tool::Of(
                        count(
                            __tool::context::<Shop>().of(__tool_call, 0usize),
                            __tool::arg::<Cow<'_, str>>().read(__tool_call, 0usize)?,
                            __tool::context::<CallContext>().of(__tool_call, 1usize),
                        ),
                    )
                    .split()?,
            )
            .answer()
    }
    fn __tool_output(
        __tool_schemas: &mut __tool::SchemaGenerator,
    ) -> __tool::Option<__tool::Schema> {
        use __tool::{
            SchemaOfAny as _, SchemaOfResult as _, SchemaOfType as _,
            SchemaOfUnknown as _,
        };
        (&&&&__tool::OutputOf::<&'_ str>::NEW).schema(__tool_schemas)
    }
    #[automatically_derived]
    impl __tool::Tool for count {
        const TOOL: &'static __tool::StaticTool = &__TOOL;
    }
    __tool::submit! {
        __TOOL
    }
};
