#[deprecated]
fn old() -> impl Serialize {}
///The tool `old`, as `tools![old]` takes it.
struct old {}
const _: () = {
    use facade::tools::__private as __tool;
    static __TOOL: __tool::StaticTool = __tool::StaticTool {
        name: "old",
        description: {
            const __TOOL_TEXT: &__tool::str = concat!("a", "b");
            const _: () = __tool::hold(
                !__tool::is_blank(__TOOL_TEXT),
                "the tool's description is blank",
            );
            const _: () = __tool::hold(
                !__tool::has_arguments_section(__TOOL_TEXT),
                "the tool's description has an `# Arguments` section, which cannot be taken apart where the text is an expression; describe each parameter at the parameter",
            );
            __TOOL_TEXT
        },
        output: __tool_output,
        run: __tool::Run::Blocking(__tool_run),
        place: __tool::place!(),
        ..__tool::TOOL
    };
    #[allow(deprecated)]
    fn __tool_run(__tool_call: &__tool::Invocation) -> __tool::Reply {
        use __tool::{OfOther as _, OfValue as _};
        __tool::Of(__tool::Of(old()).split()?).answer()
    }
    fn __tool_output(
        __tool_schemas: &mut __tool::SchemaGenerator,
    ) -> __tool::Option<__tool::Schema> {
        let _ = __tool_schemas;
        __tool::None
    }
    #[automatically_derived]
    impl __tool::Tool for old {
        const TOOL: &'static __tool::StaticTool = &__TOOL;
    }
    __tool::submit! {
        __TOOL
    }
};
