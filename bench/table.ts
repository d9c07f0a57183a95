/** Rows of figures under their heads, as a terminal and a README show them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_name, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const written = lines.map((line) => {
    const cells = widths.map((width, column) =>
      column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
    )
    return `| ${cells.join(' | ')} |`
  })
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [written[0], rule, ...written.slice(1)].join('\n')
}
