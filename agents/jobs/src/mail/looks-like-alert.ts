import alertWords from './alert-words.json' with { type: 'json' }

const SUBJECTS = new RegExp(alertWords.subjects.join('|'), 'i')

/**
 * Whether a mail is opened. With `from`, its sender must be one of these addresses or domains; without it, a known
 * sender of alerts, or its subject must be about jobs.
 */
export function looksLikeAlert(sender: string, subject: string, from: readonly string[]): boolean {
  const address = sender.toLowerCase()
  const isOf = (domain: string): boolean => address.endsWith(`@${domain}`) || address.endsWith(`.${domain}`)
  if (from.length > 0) return from.some((each) => address === each || isOf(each.replace(/^@/, '')))
  return alertWords.senders.some(isOf) || SUBJECTS.test(subject)
}
