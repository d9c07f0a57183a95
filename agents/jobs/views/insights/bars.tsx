export type Bar = {
  readonly label: string
  readonly value: number
  /** The text next to the bar, in place of the value. */
  readonly text?: string
  /** The part of the bar that is filled in full color. */
  readonly strong?: number
}

type BarsProps = { readonly caption: string; readonly bars: readonly Bar[] }

/** A bar chart that is a table: a screen reader gets its numbers. */
export function Bars({ caption, bars }: BarsProps) {
  const max = Math.max(...bars.map(({ value }) => value), 1)
  return (
    <table className="jobs-bars">
      <caption className="visually-hidden">{caption}</caption>
      <tbody>
        {bars.map(({ label, value, text = String(value), strong = value }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="jobs-bar" aria-hidden>
              <span style={{ width: `${(100 * value) / max}%` }}>
                <span style={{ width: `${value === 0 ? 0 : (100 * strong) / value}%` }} />
              </span>
            </td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
