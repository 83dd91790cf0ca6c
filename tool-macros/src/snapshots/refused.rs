/// Cancels.
pub fn cancel(id: u8, shop: &Shop) {
    body
}
::core::compile_error! {
    "`risk` is given twice\nnote: first given as `risk = \"hgih\"`"
}
::core::compile_error! {
    "unknown risk level `hgih`; expected `low`, `medium` or `high`\nhelp: did you mean `high`?"
}
::core::compile_error! {
    "unknown key `nme` in `#[arg]`\nhelp: did you mean `name`?\nnote: the keys are `name`, `alias`, `description`, `default`, `example`, `secret`, `pattern`, `format`, `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`, `max_length`, `min_items`, `max_items`, `unique_items`"
}
///The tool `cancel`, as `tools![cancel]` takes it.
pub struct cancel {}
#[automatically_derived]
impl ::tool_runtime::__private::Tool for cancel {
    const TOOL: &'static ::tool_runtime::__private::StaticTool = ::tool_runtime::__private::REFUSED;
}
