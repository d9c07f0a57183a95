import { formatTable } from './format-table.ts'
import { playNeighbour, type Measure } from './neighbour/play-neighbour.ts'

const PLANNED = { quietSeconds: 15, secondsPerKind: 2.5, allSeconds: 60 }

/**
 * Measures the first token of 20 users while one user and one stranger attack the server, compared with a quiet
 * server. `only` is a part of the names of kinds.
 */
export async function measureNeighbour(only?: string): Promise<string> {
  const { quiet, each, all } = await playNeighbour({ ...PLANNED, ...(only !== undefined && { only }) })
  const rows = [quiet, ...each, all].map((measure) => toRow(measure, quiet))
  return `the first token of 20 users during an attack\n${formatTable(HEADS, rows)}`
}

const HEADS = ['', 'messages', 'p50', 'quiet p99', 'p99, ms', 'ratio', 'refused', 'MB', 'loop, ms', 'CPU']

function toRow(measure: Measure, quiet: Measure): string[] {
  const { name, samples, p50Ms, p99Ms, refusals, memoryMb, delayMs, cpu } = measure
  return [
    name,
    String(samples),
    p50Ms.toFixed(0),
    quiet.p99Ms.toFixed(0),
    p99Ms.toFixed(0),
    `${(p99Ms / quiet.p99Ms).toFixed(1)} ×`,
    String(refusals.length),
    memoryMb.toFixed(0),
    delayMs.toFixed(0),
    `${cpu.toFixed(0)} %`,
  ]
}
