import type { ToolCardProps } from '@dragoman/console/view'

import { CardText } from './card-text.tsx'
import css from './kline.css?inline'
import { translatorOf } from './translator.ts'

type Point = { readonly year: number; readonly age: number; readonly pillar: string; readonly score: number }
type KlineOutput = {
  readonly cardType: 'bazi_kline'
  readonly points: readonly Point[]
  readonly text: string
  readonly meaning?: string
}

const WIDTH = 640
const HEIGHT = 260
const MARGIN = { left: 40, right: 14, top: 26, bottom: 30 }
const MAX_YEAR_LABELS = 8
const SCORE_STEP = 10

/** A line of years: those that support, and those that ask for effort. */
export default function KlineCard({ output, language }: ToolCardProps) {
  const t = translatorOf(language)
  if (!isKline(output)) return <CardText output={output} />
  const { points, text, meaning } = output
  const scale = scaleOf(points)
  const { x, y, scores } = scale
  const now = points.find(({ year }) => year === new Date().getFullYear())
  const step = Math.ceil(points.length / MAX_YEAR_LABELS)
  const line = points.map(({ year, score }) => `${x(year)},${y(score)}`).join(' ')
  return (
    <figure className="life-kline">
      <style href="life-kline" precedence="low">
        {css}
      </style>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        {scores.map((score) => (
          <g key={score}>
            <line
              x1={MARGIN.left}
              x2={WIDTH - MARGIN.right}
              y1={y(score)}
              y2={y(score)}
              className="life-grid"
            />
            <text x={MARGIN.left - 8} y={y(score) + 4} textAnchor="end">
              {score}
            </text>
          </g>
        ))}
        {points
          .filter((_point, index) => index % step === 0)
          .map(({ year }, index) => (
            <text
              key={year}
              x={x(year)}
              y={HEIGHT - 8}
              textAnchor="middle"
              className={index % 2 === 1 ? 'life-odd' : ''}
            >
              {year}
            </text>
          ))}
        <polygon points={areaUnder(line, points, scale)} />
        <polyline points={line} />
        {points.map(({ year, pillar, score }) => (
          <circle key={year} cx={x(year)} cy={y(score)} r="7" className="life-touch">
            <title>{`${year} ${pillar} ${score}`}</title>
          </circle>
        ))}
        {now && (
          <Now point={now} scale={scale} label={t('kline.now', { year: now.year, score: now.score })} />
        )}
      </svg>
      <figcaption>{meaning ?? `${t('scoreAxis')}, 0–100`}</figcaption>
    </figure>
  )
}

type Scale = ReturnType<typeof scaleOf>
type NowProps = { readonly point: Point; readonly scale: Scale; readonly label: string }

/** Marks the present year. */
function Now({ point: { year, score }, scale: { x, y }, label }: NowProps) {
  return (
    <g className="life-now">
      <line x1={x(year)} x2={x(year)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
      <circle cx={x(year)} cy={y(score)} r="5" />
      <text x={x(year)} y={MARGIN.top - 8} textAnchor="middle">
        {label}
      </text>
    </g>
  )
}

/** Years to the right, scores upward; from the ten below the lowest score to the ten above the highest. */
function scaleOf(points: readonly Point[]) {
  const first = points[0]?.year ?? 0
  const span = Math.max(1, (points.at(-1)?.year ?? 0) - first)
  const all = points.map(({ score }) => score)
  const low = Math.max(0, Math.floor((Math.min(...all) - 1) / SCORE_STEP) * SCORE_STEP)
  const high = Math.min(100, Math.ceil((Math.max(...all) + 1) / SCORE_STEP) * SCORE_STEP)
  const [width, height] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom]
  return {
    low,
    scores: Array.from({ length: (high - low) / SCORE_STEP + 1 }, (_none, index) => low + index * SCORE_STEP),
    x: (year: number): number => MARGIN.left + ((year - first) / span) * width,
    y: (score: number): number => MARGIN.top + (1 - (score - low) / (high - low)) * height,
  }
}

function areaUnder(line: string, points: readonly Point[], { x, y, low }: Scale): string {
  const [first, last] = [points[0]?.year ?? 0, points.at(-1)?.year ?? 0]
  return `${x(first)},${y(low)} ${line} ${x(last)},${y(low)}`
}

function isKline(output: unknown): output is KlineOutput {
  return (
    typeof output === 'object' && output !== null && 'cardType' in output && output.cardType === 'bazi_kline'
  )
}
