//! The pinned schema: `#[tool(schema = "schemas/cancel_order.json")]`.
//!
//! The file is the agreed contract, so whatever differs from it is a mistake of the function's, told at the parameter with
//! the place in the file. What only types can tell, the values of an enum for one, is left to the build script, which
//! proves the generated schema and the pinned one equivalent.

use std::path::{Path, PathBuf};

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Expr, Lit, LitStr, Type};

use crate::args;
use crate::asserts::Spelled;
use crate::errors::{Errors, nearest, say};
use crate::json::{self, Json, Member, Node};
use crate::model::{Argument, Constraint, Pinned, ReadAs, TypeCheck};

/// A contract that was read.
pub(crate) struct Contract {
    /// As the attribute spells it, for messages.
    path: String,
    /// Where the file is, for the compiler.
    absolute: String,
    /// The name and the description, of a file that is a whole tool definition.
    name: Option<Member>,
    description: Option<Member>,
    /// The schema of the arguments.
    schema: Node,
    /// The whole file, which `$ref` points into.
    root: Node,
}

/// Reads the file that `schema = ".."` names. This is the only file the macro ever reads; the expansion names it to the
/// compiler, so that a change of it is a change of the crate.
pub(crate) fn read(path: &LitStr, errors: &mut Errors) -> Option<Contract> {
    let base = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    read_from(&base, path, errors)
}

/// As [`read`], relative to `base`.
pub(crate) fn read_from(base: &Path, path: &LitStr, errors: &mut Errors) -> Option<Contract> {
    let spelled = path.value();
    let absolute = base.join(&spelled);
    let root = match std::fs::read_to_string(&absolute) {
        Ok(text) => json::read(&text),
        Err(problem) => Err(plain(&problem)),
    };
    match root.and_then(|root| Contract::of(&spelled, absolute.display().to_string(), root)) {
        Ok(contract) => Some(contract),
        Err(problem) => {
            errors.at(path, say::contract_unreadable(&spelled, problem));
            None
        }
    }
}

/// What went wrong with a file, in the same words on every system.
fn plain(problem: &std::io::Error) -> String {
    match problem.kind() {
        std::io::ErrorKind::NotFound => {
            "there is no such file (the path begins where Cargo.toml is)".to_owned()
        }
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        _ => problem.to_string(),
    }
}

impl Contract {
    /// Finds the schema in a file: a bare JSON Schema, or a tool as Anthropic, MCP or OpenAI define it.
    pub(crate) fn of(path: &str, absolute: String, root: Node) -> Result<Self, String> {
        let tool = match root.get("function") {
            Some(function)
                if root.get("type").and_then(|kind| kind.node.text()) == Some("function") =>
            {
                function.node.clone()
            }
            _ => root.clone(),
        };
        let whole = ["input_schema", "inputSchema", "parameters"]
            .iter()
            .find_map(|key| tool.get(key));
        let is_tool = whole.is_some() && tool.get("properties").is_none();
        let (schema, name, description) = match whole {
            Some(schema) if is_tool => (
                schema.node.clone(),
                tool.get("name").cloned(),
                tool.get("description").cloned(),
            ),
            _ => (root.clone(), None, None),
        };
        if !matches!(schema.value, Json::Object(_)) {
            return Err(format!(
                "expected a JSON Schema of an object at line {}",
                schema.line
            ));
        }
        if let Some(kind) = schema.get("type")
            && kind.node.text() != Some("object")
        {
            return Err(format!(
                "expected `\"type\": \"object\"` at line {}",
                kind.node.line
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            absolute,
            name,
            description,
            schema,
            root,
        })
    }

    /// What the expansion says of it.
    pub(crate) fn pinned(&self) -> Pinned {
        Pinned {
            path: self.path.clone(),
            absolute: self.absolute.clone(),
        }
    }

    fn properties(&self) -> &[Member] {
        self.schema
            .get("properties")
            .map_or(&[], |properties| properties.node.members())
    }

    /// The line on which a property is required, if it is.
    fn required(&self, name: &str) -> Option<usize> {
        let list = self.schema.get("required")?.node.list();
        list.iter()
            .find(|item| item.text() == Some(name))
            .map(|item| item.line)
    }

    /// A schema with its local `$ref`s followed.
    fn resolved<'s>(&'s self, mut schema: &'s Node) -> &'s Node {
        for _ in 0..16 {
            let Some(pointer) = schema
                .get("$ref")
                .and_then(|reference| reference.node.text())
            else {
                break;
            };
            let Some(target) = self.at(pointer) else {
                break;
            };
            schema = target;
        }
        schema
    }

    /// What `#/$defs/Reason` points at: in the schema, or in the file around it.
    fn at(&self, pointer: &str) -> Option<&Node> {
        let steps = pointer.strip_prefix('#')?;
        let walk = |mut node| {
            for step in steps.split('/').skip(1) {
                let step = step.replace("~1", "/").replace("~0", "~");
                node = &Node::get(node, &step)?.node;
            }
            Some(node)
        };
        walk(&self.schema).or_else(|| walk(&self.root))
    }

    /// Holds the tool's name against the file's.
    pub(crate) fn check_name(&self, name: &str, at: &TokenStream, errors: &mut Errors) {
        if let Some(member) = &self.name
            && let Some(agreed) = member.node.text()
            && agreed != name
        {
            let message = say::contract_name(agreed, &self.path, member.line, name);
            errors.at(
                at,
                message.help(format_args!("`#[tool(name = \"{agreed}\")]`")),
            );
        }
    }

    /// Holds the description against the file's. How lines are broken says nothing.
    pub(crate) fn check_description(
        &self,
        description: &str,
        at: &TokenStream,
        errors: &mut Errors,
    ) {
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        if let Some(member) = &self.description
            && let Some(agreed) = member.node.text()
            && words(agreed) != words(description)
        {
            let (ours, theirs) = (words(description), words(agreed));
            let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
            let differs = |words: &[String]| match words.get(same) {
                Some(word) => format!("`{word}`"),
                None => "its end".to_owned(),
            };
            errors.at(
                at,
                say::contract_description(
                    &self.path,
                    member.line,
                    differs(&theirs),
                    differs(&ours),
                ),
            );
        }
    }

    /// Holds the parameters against the properties, both ways.
    pub(crate) fn check_arguments(
        &self,
        arguments: &mut [&mut Argument],
        function: &Ident,
        errors: &mut Errors,
    ) {
        let missing: Vec<&Member> = self
            .properties()
            .iter()
            .filter(|member| !arguments.iter().any(|argument| argument.name == member.key))
            .collect();
        let extra = |name: &str| !self.properties().iter().any(|member| member.key == name);
        let alone = missing.len() == 1
            && arguments
                .iter()
                .filter(|argument| extra(&argument.name))
                .count()
                == 1;
        let mut renamed: Vec<&str> = Vec::new();
        for argument in arguments.iter_mut() {
            if let Some(member) = self
                .properties()
                .iter()
                .find(|member| member.key == argument.name)
            {
                self.check_argument(member, argument, errors);
                continue;
            }
            let free = || {
                missing
                    .iter()
                    .filter(|member| !renamed.contains(&member.key.as_str()))
            };
            let was = if alone {
                missing.first()
            } else {
                free().find(|member| alike(&argument.name, &member.key))
            };
            match was.copied() {
                // The file says `id`, the function reads `order_id`.
                Some(member) => {
                    renamed.push(&member.key);
                    let message =
                        say::contract_renamed(&argument.name, &self.path, &member.key, member.line);
                    errors.at(
                        &argument.at,
                        message.help(format_args!(
                            "rename the parameter, or `#[arg(name = \"{}\")]`",
                            member.key
                        )),
                    );
                }
                None => {
                    let message = say::contract_extra(&argument.name, &self.path);
                    let declared: Vec<String> = self
                        .properties()
                        .iter()
                        .map(|member| format!("`{}` (line {})", member.key, member.line))
                        .collect();
                    errors.at(
                        &argument.at,
                        match declared.is_empty() {
                            true => message.note("it declares no arguments"),
                            false => {
                                message.note(format_args!("it declares {}", declared.join(", ")))
                            }
                        },
                    );
                }
            }
        }
        for member in missing
            .iter()
            .filter(|member| !renamed.contains(&member.key.as_str()))
        {
            errors.at(
                function,
                say::contract_missing(&member.key, &self.path, member.line),
            );
        }
    }

    /// Holds one parameter against its property.
    fn check_argument(&self, member: &Member, argument: &mut Argument, errors: &mut Errors) {
        let before = errors.count();
        self.check_required(member, argument, errors);
        let schema = self.resolved(&member.node);
        let ty = argument.spelled.clone();
        let typed = errors.count();
        self.check_type(
            &member.key,
            schema,
            &ty,
            &mut argument.checks,
            &argument.read_as,
            errors,
        );
        if errors.count() == typed {
            self.check_constraints(member, schema, argument, errors);
        }
        if errors.count() == before {
            self.check_default(member, schema, argument, errors);
        }
    }

    /// The `required` list.
    fn check_required(&self, member: &Member, argument: &mut Argument, errors: &mut Errors) {
        let required = self.required(&member.key);
        let spelled = is_optional(&argument.spelled);
        let has_default = argument.default.is_some();
        match (required, spelled) {
            (Some(line), Some(true)) => {
                errors.at(
                    &argument.spelled,
                    say::contract_requires(&member.key, &self.path, line),
                );
            }
            (Some(line), _) if has_default => {
                let at = argument.default.to_token_stream();
                errors.at(&at, say::contract_requires(&member.key, &self.path, line));
            }
            (None, Some(false)) if !has_default => {
                let message = say::contract_optional(&member.key, &self.path, member.line);
                errors.at(
                    &argument.spelled,
                    message.help(format_args!(
                        "`Option<{}>`, or `#[arg(default = ...)]`",
                        crate::check::spelled(&argument.spelled)
                    )),
                );
            }
            // `reason: Reason` may be an alias of an `Option`: the compiler knows.
            (Some(line), None) => argument.checks.push(TypeCheck::Optional {
                wanted: false,
                message: say::contract_requires(&member.key, &self.path, line).text(),
            }),
            (None, None) if !has_default => argument.checks.push(TypeCheck::Optional {
                wanted: true,
                message: say::contract_optional(&member.key, &self.path, member.line).text(),
            }),
            _ => {}
        }
    }

    /// The type, as far as its spelling or a look at the type tells.
    fn check_type(
        &self,
        name: &str,
        schema: &Node,
        ty: &Type,
        checks: &mut Vec<TypeCheck>,
        read_as: &ReadAs,
        errors: &mut Errors,
    ) {
        let spelled = Spelled::of(ty);
        let Some((line, kinds)) = types(schema) else {
            return;
        };
        let shown = kinds.join("` or `");
        match spelled.json() {
            Some(json) => {
                // What reads whole numbers cannot take all that `number` allows.
                let fits =
                    kinds.contains(&json) || (json == "number" && kinds.contains(&"integer"));
                if !fits || (json == "number" && !kinds.contains(&"number")) {
                    let reads = reads(json);
                    let ty_spelled = crate::check::spelled(ty);
                    errors.at(
                        ty,
                        say::contract_type(shown, name, &self.path, line, ty_spelled, reads),
                    );
                    return;
                }
            }
            None => {
                if let ([kind], false) = (kinds.as_slice(), matches!(read_as, ReadAs::Lent(_))) {
                    checks.push(TypeCheck::Json {
                        kind: (*kind).to_owned(),
                        message: say::contract_type_unspelled(
                            shown,
                            name,
                            &self.path,
                            line,
                            crate::check::spelled(ty),
                        )
                        .text(),
                    });
                }
            }
        }
        if let Some(listed) = schema.get("enum")
            && matches!(
                spelled,
                Spelled::Text | Spelled::Integer { .. } | Spelled::Number
            )
        {
            let ty_spelled = crate::check::spelled(ty);
            errors.at(
                ty,
                say::contract_enum(name, &self.path, listed.line, ty_spelled),
            );
            return;
        }
        if let (Some(items), Some(inner)) = (schema.get("items"), element(ty)) {
            let items = self.resolved(&items.node);
            self.check_type(
                &format!("{name}[]"),
                items,
                &inner,
                checks,
                &ReadAs::Lent(TokenStream::new()),
                errors,
            );
        }
    }

    /// The keywords of `#[arg]`.
    fn check_constraints(
        &self,
        member: &Member,
        schema: &Node,
        argument: &Argument,
        errors: &mut Errors,
    ) {
        let spelled = Spelled::of(&argument.spelled);
        for (keyword, key) in KEYWORDS {
            let ours = argument
                .constraints
                .iter()
                .find(|constraint| constraint.keyword == *keyword);
            let theirs = schema.get(keyword);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) if !same(ours, &theirs.node) => {
                    let agreed = theirs.node.to_text();
                    let message =
                        say::contract_constraint(key, &member.key, &self.path, theirs.line, agreed);
                    errors.at(&ours.tokens, message);
                }
                (Some(ours), None) => {
                    let message =
                        say::contract_constraint_extra(key, &member.key, &self.path, member.line);
                    errors.at(&ours.tokens, message);
                }
                (None, Some(theirs)) if !spelled.implies(keyword, &theirs.node) => {
                    let agreed = theirs.node.to_text();
                    let message = say::contract_constraint_missing(
                        key,
                        &member.key,
                        &self.path,
                        theirs.line,
                        &agreed,
                    );
                    let agreed = if *keyword == "pattern" {
                        format!("r{agreed}").replace("\\\\", "\\")
                    } else {
                        agreed
                    };
                    errors.at(
                        &argument.at,
                        message.help(format_args!("`#[arg({key} = {agreed})]`")),
                    );
                }
                _ => {}
            }
        }
    }

    /// The default, where both are known.
    fn check_default(
        &self,
        member: &Member,
        schema: &Node,
        argument: &Argument,
        errors: &mut Errors,
    ) {
        let theirs = member.node.get("default").or_else(|| schema.get("default"));
        match (&argument.default, theirs) {
            (Some(ours), Some(theirs)) => {
                if let Some(value) = known(ours)
                    && !value.same(&theirs.node)
                {
                    let agreed = theirs.node.to_text();
                    errors.at(
                        ours,
                        say::contract_default(&member.key, &self.path, theirs.line, agreed),
                    );
                }
            }
            (Some(ours), None) if known(ours).is_none_or(|value| value.value != Json::Null) => {
                errors.at(
                    ours,
                    say::contract_default_extra(&member.key, &self.path, member.line),
                );
            }
            (None, Some(theirs)) if theirs.node.value != Json::Null => {
                let agreed = theirs.node.to_text();
                let message = say::contract_default(&member.key, &self.path, theirs.line, &agreed);
                errors.at(
                    &argument.at,
                    message.help(format_args!("`#[arg(default = {agreed})]`")),
                );
            }
            _ => {}
        }
    }
}

/// The keywords that both sides spell, and how the attribute does.
const KEYWORDS: &[(&str, &str)] = &[
    ("pattern", "pattern"),
    ("format", "format"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
    ("exclusiveMinimum", "exclusive_minimum"),
    ("exclusiveMaximum", "exclusive_maximum"),
    ("multipleOf", "multiple_of"),
    ("minLength", "min_length"),
    ("maxLength", "max_length"),
    ("minItems", "min_items"),
    ("maxItems", "max_items"),
    ("uniqueItems", "unique_items"),
];

/// Whether one name looks like another's new name: `id` and `order_id`, `orderId` and `order_id`, `amuont` and `amount`.
fn alike(a: &str, b: &str) -> bool {
    let fold = |name: &str| name.replace(['_', '-', '.'], "").to_lowercase();
    let (a, b) = (fold(a), fold(b));
    a == b
        || (a.len().min(b.len()) >= 2 && (a.ends_with(&b) || b.ends_with(&a)))
        || nearest(&a, [b.as_str()]).is_some()
}

/// The `type` of a schema, `null` left out, and its line.
fn types(schema: &Node) -> Option<(usize, Vec<&str>)> {
    let member = schema.get("type")?;
    let kinds: Vec<&str> = match &member.node.value {
        Json::Text(kind) => vec![kind],
        Json::List(kinds) => kinds.iter().filter_map(Node::text).collect(),
        _ => return None,
    };
    let kinds: Vec<&str> = kinds.into_iter().filter(|kind| *kind != "null").collect();
    (!kinds.is_empty()).then_some((member.line, kinds))
}

/// What a type of this kind reads.
fn reads(json: &str) -> &'static str {
    match json {
        "string" => "text",
        "integer" => "whole numbers",
        "number" => "numbers",
        "boolean" => "true or false",
        "array" => "lists",
        _ => "objects",
    }
}

/// Whether a type may be absent, if its spelling tells.
fn is_optional(ty: &Type) -> Option<bool> {
    match ty {
        Type::Reference(_) | Type::Array(_) | Type::Slice(_) => Some(false),
        Type::Group(group) => is_optional(&group.elem),
        Type::Path(path)
            if path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "Option") =>
        {
            Some(true)
        }
        ty => match Spelled::of(ty) {
            Spelled::Unknown => None,
            _ => Some(false),
        },
    }
}

/// The `T` of a list that is spelled as one.
fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Group(group) => element(&group.elem),
        Type::Slice(slice) => Some((*slice.elem).clone()),
        Type::Array(array) => Some((*array.elem).clone()),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            let syn::GenericArgument::Type(inner) = arguments.args.first()? else {
                return None;
            };
            match last.ident.to_string().as_str() {
                "Vec" => Some(inner.clone()),
                "Option" | "Box" => element(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

fn same(ours: &Constraint, theirs: &Node) -> bool {
    json::read(&ours.value.to_json()).is_ok_and(|ours| ours.same(theirs))
}

/// The JSON of a default that is a literal, `None` or `Some(literal)`.
fn known(value: &Expr) -> Option<Node> {
    let value = crate::check::inside_some(value);
    let text = match (args::number(value), args::literal(value)) {
        (Some(number), _) => number.text,
        (_, Some(Lit::Str(text))) => crate::model::json_string(&text.value()),
        (_, Some(Lit::Bool(value))) => value.value.to_string(),
        _ => match args::ungrouped(value) {
            Expr::Path(path)
                if path
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "None") =>
            {
                "null".to_owned()
            }
            _ => return None,
        },
    };
    json::read(&text).ok()
}
