import { ServiceError } from '../../errors.ts'
import type { RuleUsage } from './reservations.ts'
import { formatInZone, type Period } from './period.ts'

const PERIOD_NAMES: Readonly<Record<Period, { readonly en: string; readonly zh: string }>> = {
  hourly: { en: 'this hour', zh: '这个小时' },
  daily: { en: 'today', zh: '今天' },
  weekly: { en: 'this week', zh: '本周' },
  monthly: { en: 'this month', zh: '本月' },
}

const UNIT_NAMES = { runs: 'message', tokens: 'token' } as const

/** The error for an exhausted limit: which one, and when it resets. */
export function quotaExceeded(
  tier: string,
  { rule, span, zone, used }: RuleUsage,
  now: number,
): ServiceError {
  const { unit, period, limit } = rule
  const resetAt = formatInZone(span.end, zone)
  const seconds = Math.max(1, Math.ceil((span.end - now) / 1000))
  const { en, zh } = PERIOD_NAMES[period]
  // To the minute, in the user's zone.
  const when = resetAt.slice(0, 16).replace('T', ' ')
  const count = formatCount(limit)
  const amount = unit === 'runs' ? `对话次数（${count} 次）` : `额度（${count} 个 token）`
  return new ServiceError(
    'quota-exceeded',
    `You have used all that you have for ${en}: ${count} ` +
      `${UNIT_NAMES[unit]}${limit === 1 ? '' : 's'}. There is more from ${when} on (${zone}).`,
    {
      translations: {
        zh: `${zh}的${amount}已经用完了，${when}（${zone}）起可以继续。`,
      },
      details: { code: 'quota_exceeded', tier, limit, used, unit, period, resetAt },
      retryAfter: seconds,
    },
  )
}

function formatCount(limit: number): string {
  return limit.toLocaleString('en-US')
}
