import type { LuckCycle } from '../src/chart/chart.ts'
import { nameIn, translatorOf } from './translator.ts'

type LuckCyclesProps = { readonly cycles: readonly LuckCycle[]; readonly language: string }

/** The luck cycles, the present one marked and in sight. */
export function LuckCycles({ cycles, language }: LuckCyclesProps) {
  const t = translatorOf(language)
  const current = currentCycle(cycles)
  return (
    <ol className="life-luck" tabIndex={0} aria-label={t('luck')}>
      {cycles.map((cycle) => {
        const { name, startAge, endAge, startYear, endYear, tenGod } = cycle
        const isNow = cycle === current
        return (
          <li
            key={startYear}
            ref={isNow ? showInList : undefined}
            {...(isNow && { 'aria-current': 'date' as const })}
          >
            <b lang="zh">{name}</b>
            {language !== 'zh' && <small>{nameIn(language, name)}</small>}
            <small>{nameIn(language, tenGod)}</small>
            <small>
              {startYear}–{endYear}
            </small>
            <small>{isNow ? t('luckNow') : t('ages', { from: startAge, to: endAge })}</small>
          </li>
        )
      })}
    </ol>
  )
}

/** The cycle of this year. */
export function currentCycle(cycles: readonly LuckCycle[]): LuckCycle | undefined {
  const year = new Date().getFullYear()
  return cycles.find(({ startYear, endYear }) => startYear <= year && year <= endYear)
}

/** Scrolls the list alone, not the page. */
function showInList(item: HTMLElement | null): void {
  const list = item?.parentElement
  if (item && list)
    list.scrollLeft = item.offsetLeft - list.offsetLeft - (list.clientWidth - item.clientWidth) / 2
}
