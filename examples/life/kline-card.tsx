export type KlineData = {
  points: { year: number; age: number; pillar: string; score: number }[]
  text?: string
}

/** A line of years: supportive years, and years that ask for effort. */
export function KlineCard({ points, text }: KlineData) {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return null
  const across = 600 / Math.max(1, points.length - 1)
  const line = points.map(({ score }, index) => `${index * across},${150 - score * 1.4}`).join(' ')
  return (
    <section className="card">
      <svg viewBox="-5 0 610 160" role="img" aria-label={text}>
        <line x1="0" x2="600" y1="80" y2="80" className="middle" />
        <polyline points={line} />
        {points.map(({ year, pillar, score }, index) => (
          <circle key={year} cx={index * across} cy={150 - score * 1.4} r="4">
            <title>{`${year} ${pillar} ${score}`}</title>
          </circle>
        ))}
      </svg>
      <p className="quiet years">
        <span>
          {first.year} · {first.age}
        </span>
        <span>
          {last.year} · {last.age}
        </span>
      </p>
    </section>
  )
}
