import { usePage } from '../page-context.ts'

const HIGH = 70
const MEDIUM = 45

/** A match from 0 to 100. */
export function Score({ value }: { readonly value: number }) {
  const { t } = usePage()
  const level = value >= HIGH ? 'high' : value >= MEDIUM ? 'medium' : 'low'
  return (
    <span className="jobs-score" data-level={level} title={t('match.score')}>
      <span className="visually-hidden">{t('match.score')} </span>
      {value}
    </span>
  )
}
