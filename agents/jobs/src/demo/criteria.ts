import { keywordsOf } from './keywords.ts'
import { takePlace } from './places.ts'
import { takeSalary } from './salary.ts'

/** What a request asks of a posting. Keywords are the user's own words: the search knows what means the same. */
export type Criteria = {
  readonly keywords: string
  readonly location?: string
  readonly remote?: boolean
  readonly minSalary?: number
}

/** Takes from a request, word by word, what it asks for. English and Chinese may be mixed in it. */
export function readCriteria(words: string): Criteria {
  const pay = takeSalary(words)
  const presence = takeRemote(pay.rest)
  const where = takePlace(presence.rest)
  return {
    keywords: keywordsOf(where.rest),
    ...(where.place !== undefined && { location: where.place }),
    ...(presence.remote !== undefined && { remote: presence.remote }),
    ...(pay.minSalary !== undefined && { minSalary: pay.minSalary }),
  }
}

/**
 * Reads the filters that are set in the client: `[Context: Active filters: location=San Francisco, remote=true]`. A box that is
 * not ticked asks for nothing, and pay is left to the tool, which has the filters too: nobody can tell whose pay "30k" is.
 */
export function readFilters(context: readonly string[]): Pick<Criteria, 'location' | 'remote'> {
  const line =
    context.map((each) => /^\[Context: Active filters: (.*)\]\s*$/.exec(each)?.[1]).find(Boolean) ?? ''
  // A value may hold a comma ("Austin, TX"): it ends where the next name begins.
  const filters = new Map(
    [...line.matchAll(/(\w+)=(.*?)(?=, \w+=|$)/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  )
  const location = filters.get('location')
  return { ...(location && { location }), ...(filters.get('remote') === 'true' && { remote: true }) }
}

const onSite =
  /\b(?:not|non|no)[\s-]+remote\b|\bon[\s-]?site\b|\bin[\s-]office\b|(?:不要|不是|非)远程|现场办公|坐班/i
const remotely =
  /\b(?:fully[\s-]+)?remote(?:ly)?\b(?! (?:sensing|control))|\bwork(?:ing)? from home\b|\bwfh\b|(?:可以?|支持|能)?远程(?:办公|工作)?|(?:居家|在家)(?:办公|工作)/i

function takeRemote(text: string): { remote: boolean | undefined; rest: string } {
  if (onSite.test(text)) return { remote: false, rest: text.replace(onSite, ' ') }
  if (remotely.test(text)) return { remote: true, rest: text.replace(remotely, ' ') }
  return { remote: undefined, rest: text }
}
