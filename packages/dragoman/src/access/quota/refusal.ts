import { ServiceError } from '../../errors.ts'
import type { Limit } from './ledger.ts'
import { inZone, type Period } from './period.ts'

const PERIODS: Readonly<Record<Period, { readonly en: string; readonly zh: string }>> = {
  hourly: { en: 'this hour', zh: '这个小时' },
  daily: { en: 'today', zh: '今天' },
  weekly: { en: 'this week', zh: '本周' },
  monthly: { en: 'this month', zh: '本月' },
}

/** What is counted, as users call it. */
const NAMES = { runs: 'message', tokens: 'token' } as const

/** What whoever has used up a limit is told: which, and when there is more. */
export function refusal(tier: string, { rule, span, zone, used }: Limit, now: number): ServiceError {
  const { unit, period, limit } = rule
  const resetAt = inZone(span.end, zone)
  const seconds = Math.max(1, Math.ceil((span.end - now) / 1000))
  const { en, zh } = PERIODS[period]
  // To the minute, by the user's own clock.
  const when = resetAt.slice(0, 16).replace('T', ' ')
  return new ServiceError(
    'quota-exceeded',
    `You have used all that you have for ${en}: ${count(limit)} ${NAMES[unit]}${limit === 1 ? '' : 's'}. There is more from ${when} on (${zone}).`,
    {
      translations: {
        zh: `${zh}的${unit === 'runs' ? `对话次数（${count(limit)} 次）` : `额度（${count(limit)} 个 token）`}已经用完了，${when}（${zone}）起可以继续。`,
      },
      details: { code: 'quota_exceeded', tier, limit, used, unit, period, resetAt },
      retryAfter: seconds,
    },
  )
}

function count(limit: number): string {
  return limit.toLocaleString('en-US')
}
