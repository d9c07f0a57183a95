/** Where the work is done. */
export const workplaces = ['remote', 'hybrid', 'onsite'] as const
export type Workplace = (typeof workplaces)[number]

/** Where the work is done, if a title or a place says so. */
export function workplaceIn(text: string): Workplace | null {
  if (/\bhybrid\b|混合办公|混合/i.test(text)) return 'hybrid'
  if (/\b(fully[- ])?remote\b|远程|居家办公/i.test(text)) return 'remote'
  return /\bon-?site\b|现场办公|坐班/i.test(text) ? 'onsite' : null
}
