import { siteOf } from '../pages/sites/find-site.ts'
import type { Source } from '../tables.ts'

/** Boards that show their postings only to a browser in which somebody is signed in, or has passed a check. */
const WALLED: Partial<Readonly<Record<Source, string>>> = {
  linkedin: 'LinkedIn',
  indeed: 'Indeed',
  glassdoor: 'Glassdoor',
  wellfound: 'Wellfound',
  zhipin: 'BOSS直聘',
  lagou: '拉勾',
  liepin: '猎聘',
  '51job': '51job',
}

/** The board's name, if an address is of one that lets nobody but browsers in. */
export function walledBoard(url: URL): string | undefined {
  const site = siteOf(url)
  return site && WALLED[site.source]
}
