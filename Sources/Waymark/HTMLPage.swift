/// What all pages have in common that are written here: each is one file that loads nothing, light or dark as its reader's system is.
package enum HTMLPage {
    /// The first lines of the head.
    package static let head = #"""
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        """#

    /// The first rules of the style: colors, which the others name, and text.
    package static let style = #"""
        :root {
          color-scheme: light dark;
          --paper: #f6f7f8; --card: #ffffff; --ink: #1b2127; --soft: #5b6670; --line: #d9dee3; --accent: #1f6fd6; --on-accent: #ffffff;
          --chosen: #e6f0fc; --good: #1a7f4b; --bad: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14181c; --card: #1d2329; --ink: #e8ecef; --soft: #9aa6b1; --line: #333c45; --accent: #6aa9f7; --on-accent: #0c1116;
            --chosen: #22344a; --good: #5cc48d; --bad: #ff8a80;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        """#
}
