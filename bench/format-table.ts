/** Formats rows of figures as a Markdown table. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_name, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const formatted = lines.map((line) => {
    const cells = widths.map((width, column) =>
      column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
    )
    return `| ${cells.join(' | ')} |`
  })
  const rules = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const rule = `| ${rules.join(' | ')} |`
  return [formatted[0], rule, ...formatted.slice(1)].join('\n')
}
