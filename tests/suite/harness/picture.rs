//! A picture of what a terminal shows: its cells with their colours as an SVG.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use vt100::{Cell, Color};

/// More rows than any picture has; those below the last text are left out.
const ROWS: u16 = 200;

/// Sizes in pixels. A cell is as wide as a character of the usual fonts at this size.
const FONT: f64 = 14.0;
const CELL: f64 = 8.4;
const ROW: f64 = 20.0;
const MARGIN: f64 = 18.0;
/// The bar with the window's buttons.
const BAR: f64 = 34.0;

const BACKGROUND: &str = "#161b22";
const TEXT: &str = "#e6edf3";
const FAINT: &str = "#8b949e";
/// Black, red, green, yellow, blue, magenta, cyan and white.
const COLOURS: [&str; 8] = [
    "#6e7681", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#e6edf3",
];
const BUTTONS: [&str; 3] = ["#ff5f56", "#ffbd2e", "#27c93f"];

/// How cells look; neighbours that look the same are one text.
#[derive(PartialEq)]
struct Style {
    colour: &'static str,
    bold: bool,
}

struct Run {
    style: Style,
    column: u16,
    columns: u16,
    text: String,
}

/// Draws what a terminal of that many columns shows after these bytes.
pub(crate) fn svg(written: &str, columns: u16) -> String {
    let size = |length| NonZeroU16::new(length).unwrap();
    let mut parser = vt100::Parser::new(size(ROWS), size(columns), 0);
    parser.process(written.as_bytes());
    let rows: Vec<Vec<Run>> = (0..ROWS)
        .map(|row| runs((0..columns).filter_map(|column| parser.screen().cell(row, column))))
        .collect();
    let used = rows.iter().rposition(|row| !row.is_empty()).unwrap() + 1;

    let width = 2.0 * MARGIN + f64::from(columns) * CELL;
    let height = BAR + used as f64 * ROW + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-size=\"{FONT}\" xml:space=\"preserve\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n"
    );
    for (x, button) in (0..)
        .map(|n| MARGIN + 4.0 + f64::from(n) * 18.0)
        .zip(BUTTONS)
    {
        writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"17\" r=\"5.5\" fill=\"{button}\"/>"
        )
        .unwrap();
    }
    for (index, row) in rows.iter().enumerate() {
        let y = BAR + index as f64 * ROW + FONT;
        for run in row {
            write_run(&mut svg, run, y);
        }
    }
    svg + "</svg>\n"
}

/// The texts of a row, without those that are blank.
fn runs<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (column, cell) in (0..).zip(cells) {
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        // The second half of a wide character is part of the first.
        let text = if cell.is_wide_continuation() {
            ""
        } else {
            text
        };
        let style = style(cell);
        match runs.last_mut() {
            Some(run) if run.style == style => {
                run.columns += 1;
                run.text.push_str(text);
            }
            _ => runs.push(Run {
                style,
                column,
                columns: 1,
                text: text.to_owned(),
            }),
        }
    }
    for run in &mut runs {
        let blank = run.text.len() - run.text.trim_end().len();
        run.text.truncate(run.text.len() - blank);
        run.columns -= blank as u16;
    }
    runs.retain(|run| !run.text.is_empty());
    runs
}

fn style(cell: &Cell) -> Style {
    let colour = match cell.fgcolor() {
        Color::Idx(index) => COLOURS[usize::from(index) % COLOURS.len()],
        _ if cell.dim() => FAINT,
        _ => TEXT,
    };
    Style {
        colour,
        bold: cell.bold(),
    }
}

/// Names the length of the text as well, so that columns stand below each other in whatever font there is.
fn write_run(svg: &mut String, run: &Run, y: f64) {
    let x = MARGIN + f64::from(run.column) * CELL;
    let length = f64::from(run.columns) * CELL;
    let weight = if run.style.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let text = run
        .text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\" fill=\"{}\"{weight}>{text}</text>",
        run.style.colour
    )
    .unwrap();
}
