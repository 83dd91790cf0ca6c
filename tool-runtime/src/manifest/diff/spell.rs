//! Texts that a pattern is likely to match.

use super::sample::Sampler;

impl Sampler<'_> {
    /// A text that a pattern is likely to match.
    pub(super) fn matching(&mut self, pattern: &str, least: u64) -> Option<String> {
        let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
        let mut out = String::new();
        let mut budget = 2000;
        self.spell(&hir, &mut out, &mut budget)?;
        // What follows a pattern that has no end is free.
        while (out.chars().count() as u64) < least {
            out.push('0');
        }
        Some(out)
    }

    fn spell(
        &mut self,
        hir: &regex_syntax::hir::Hir,
        out: &mut String,
        budget: &mut usize,
    ) -> Option<()> {
        use regex_syntax::hir::{Class, HirKind};
        *budget = budget.checked_sub(1)?;
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.ranges();
                // Plain letters and digits read best in a report.
                let plain = ranges
                    .iter()
                    .filter(|range| range.end() >= '0' && range.start() <= 'z');
                let plain: Vec<_> = plain
                    .map(|range| (range.start().max('0'), range.end().min('z')))
                    .collect();
                let (from, to) = match plain.get(self.below(plain.len())) {
                    Some(range) => *range,
                    None => ranges.first().map(|range| (range.start(), range.end()))?,
                };
                let width = (u32::from(to) - u32::from(from)).min(25) as usize + 1;
                let offset = u32::try_from(self.below(width)).ok()?;
                out.push(char::from_u32(u32::from(from) + offset).unwrap_or(from));
            }
            HirKind::Class(Class::Bytes(class)) => {
                out.push(char::from(class.ranges().first()?.start()));
            }
            HirKind::Repetition(repetition) => {
                let most = repetition
                    .max
                    .unwrap_or(repetition.min.saturating_add(3))
                    .min(repetition.min.saturating_add(3));
                let extra = self.below((most - repetition.min) as usize + 1);
                for _ in 0..(repetition.min as usize).checked_add(extra)? {
                    self.spell(&repetition.sub, out, budget)?;
                }
            }
            HirKind::Capture(capture) => self.spell(&capture.sub, out, budget)?,
            HirKind::Concat(parts) => {
                for part in parts {
                    self.spell(part, out, budget)?;
                }
            }
            HirKind::Alternation(parts) => {
                let part = parts.get(self.below(parts.len()))?;
                self.spell(part, out, budget)?;
            }
        }
        Some(())
    }
}
