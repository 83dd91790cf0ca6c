//! The gateway, step by step. A test that answers a reported case carries the case's id in its name or beside it.

// Bytes to frozen arguments: bounds, repairs, every problem told.
mod arguments;
// Names: exact, near, invented, hidden.
mod names;
// The order of the steps, and exactly one result a call.
mod pipeline;
// What the host decides.
mod policy;
// The question before a risky call: bound to the arguments, used once.
mod approvals;
// The run: time limits, cancellation, panics, turns.
mod running;
// What comes back from a tool, and what of it reaches the model.
mod results;
// One span a call.
mod telemetry;
