/// Cancels an order.
///
/// # Arguments
/// * `reason` - Why.
#[must_use]
pub(crate) fn cancel(
    order_id: &str,
    reason: Option<CancelReason>,
    copies: u8,
    pass_word: String,
    note: String,
    tags: Vec<String>,
    #[cfg(feature = "gifts")]
    gift: bool,
    mut last: f64,
) -> Result<Cancelled, ShopError> {
    body
}
///The tool `Cancel`, as `tools![Cancel]` takes it.
pub(crate) struct Cancel {}
const _: () = {
    use ::tool_runtime::__private as __tool;
    static __TOOL: __tool::StaticTool = __tool::StaticTool {
        name: "cancel_order",
        description: "Cancels an order.",
        title: __tool::Some("Cancel an order"),
        risk: __tool::Risk::High,
        risk_declared: true,
        confirm: __tool::ConfirmRule::Ask("Cancel the order?"),
        behaviour: __tool::Behaviour {
            read_only: false,
            destructive: true,
            idempotent: true,
            open_world: true,
            exclusive: true,
        },
        version: 2u32,
        aliases: &["cancel", "stop_order"],
        timeout: __tool::Some(__tool::Duration::from_millis(30000u64)),
        max_output: __tool::Some(65536usize),
        mask_errors: true,
        parameters: &[
            __tool::Parameter {
                name: "orderId",
                aliases: &["id"],
                description: __tool::Some("The order number."),
                constraints: "\"pattern\":\"^A\\\\d{4}$\"",
                example: __tool::Some(|| {
                    let __tool_value: &str = "A1001";
                    __tool::json_of::<&str>(&__tool_value)
                }),
                ty: __tool::lent::<str>().ty(),
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "reason",
                description: __tool::Some("Why."),
                ty: {
                    use __tool::KindOfAny as _;
                    const _: () = __tool::hold(
                        !__tool::KindOf::<Option<CancelReason>>::KIND.is_nested_option(),
                        "`Option<CancelReason>` cannot be told from one `Option`: in JSON both kinds of nothing are null\nhelp: take one `Option`, or an enum that names the cases",
                    );
                    const _: () = __tool::hold(
                        !__tool::KindOf::<Option<CancelReason>>::KIND.is_nothing(),
                        "`Option<CancelReason>` carries nothing a model could give; leave the parameter out",
                    );
                    __tool::arg::<Option<CancelReason>>().ty()
                },
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "copies",
                constraints: "\"minimum\":1,\"maximum\":9",
                default: __tool::Some(|| {
                    let __tool_value: u8 = 1;
                    __tool::json_of::<u8>(&__tool_value)
                }),
                ty: __tool::arg::<u8>().ty(),
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "passWord",
                constraints: "\"minLength\":8",
                secret: true,
                ty: __tool::arg::<String>().ty(),
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "note",
                default: __tool::Some(|| {
                    let __tool_value: String = __tool::text("none");
                    __tool::json_of::<String>(&__tool_value)
                }),
                ty: __tool::arg::<String>().ty(),
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "tags",
                description: __tool::Some({
                    const __TOOL_TEXT: &__tool::str = TAGS;
                    const _: () = __tool::hold(
                        !__tool::is_blank(__TOOL_TEXT),
                        "the description is blank",
                    );
                    const _: () = __tool::hold(
                        !__tool::has_arguments_section(__TOOL_TEXT),
                        "the description has an `# Arguments` section, which cannot be taken apart where the text is an expression; describe each parameter at the parameter",
                    );
                    __TOOL_TEXT
                }),
                constraints: "\"maxItems\":3,\"uniqueItems\":true",
                ty: __tool::arg::<Vec<String>>().ty(),
                ..__tool::PARAMETER
            },
            #[cfg(feature = "gifts")]
            __tool::Parameter {
                name: "gift",
                ty: __tool::arg::<bool>().ty(),
                ..__tool::PARAMETER
            },
            __tool::Parameter {
                name: "last",
                ty: __tool::arg::<f64>().ty(),
                ..__tool::PARAMETER
            },
        ],
        output: __tool_output,
        run: __tool::Run::Blocking(__tool_run),
        place: __tool::place!(),
        ..__tool::TOOL
    };
    fn __tool_run(__tool_call: &__tool::Invocation) -> __tool::Reply {
        use __tool::{OfOther as _, OfValue as _};
        __tool::Of(
                __tool::Of(
                        cancel(
                            __tool::lent::<str>().read(__tool_call, 0usize)?.lend(),
                            __tool::arg::<Option<CancelReason>>()
                                .read(__tool_call, 1usize)?,
                            __tool::arg::<u8>().read(__tool_call, 2usize)?,
                            __tool::arg::<String>().read(__tool_call, 3usize)?,
                            __tool::arg::<String>().read(__tool_call, 4usize)?,
                            __tool::arg::<Vec<String>>().read(__tool_call, 5usize)?,
                            #[cfg(feature = "gifts")]
                            __tool::arg::<bool>().read(__tool_call, 6usize)?,
                            __tool::arg::<f64>()
                                .read(
                                    __tool_call,
                                    6usize + __tool::cfg!(feature = "gifts") as __tool::usize,
                                )?,
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
        (&&&&__tool::OutputOf::<Result<Cancelled, ShopError>>::NEW)
            .schema(__tool_schemas)
    }
    #[automatically_derived]
    impl __tool::Tool for Cancel {
        const TOOL: &'static __tool::StaticTool = &__TOOL;
    }
    __tool::submit! {
        __TOOL
    }
};
