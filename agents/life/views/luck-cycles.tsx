import type { LuckCycle } from '../src/chart/chart.ts'
import { nameIn, textsIn, withValues } from './texts.ts'

type LuckCyclesProps = { readonly cycles: readonly LuckCycle[]; readonly language: string }

/** The luck cycles, the present one marked. */
export function LuckCycles({ cycles, language }: LuckCyclesProps) {
  const texts = textsIn(language)
  const year = new Date().getFullYear()
  return (
    <ol className="life-luck" tabIndex={0}>
      {cycles.map(({ name, startAge, endAge, startYear, endYear, tenGod }) => {
        const isNow = startYear <= year && year <= endYear
        return (
          <li key={startYear} {...(isNow && { 'aria-current': 'date' as const })}>
            <b lang="zh">{name}</b>
            <small>{nameIn(language, tenGod)}</small>
            <small>
              {startYear}–{endYear}
            </small>
            <small>{isNow ? texts.luckNow : withValues(texts.ages, { from: startAge, to: endAge })}</small>
          </li>
        )
      })}
    </ol>
  )
}
