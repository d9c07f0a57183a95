import type { Basics } from '../json-resume.ts'
import { dateRanges } from './dates.ts'
import type { Block } from './outline.ts'
import { labelOf, separateLabels, type Label } from './labels.ts'
import { plain, withAddresses, stripMarkdown } from '../../markdown/strip-markdown.ts'
import { isPlace } from './field-predicates.ts'

type Profile = NonNullable<Basics['profiles']>[number]
type Place = NonNullable<Basics['location']>
type Fields = { -readonly [Key in Label]?: string }

/** What is said of the person, and what of it we do not understand. */
export type ReadBasics = { readonly basics: Basics; readonly left: readonly string[] }

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/u
const PHONE = /(?<![\p{L}\p{N}/.-])(?:\+|00)?\(?\d(?:\)?[\s.-]?\(?\d){2,26}\d(?![\p{L}\p{N}])/u
const HOST = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12})(\/\S*)?$/i
const NETWORKS: Readonly<Record<string, string>> = {
  'github.com': 'GitHub',
  'gitee.com': 'Gitee',
  'gitlab.com': 'GitLab',
  'linkedin.com': 'LinkedIn',
  'twitter.com': 'Twitter',
  'x.com': 'X',
  'stackoverflow.com': 'Stack Overflow',
  'zhihu.com': '知乎',
  'juejin.cn': '掘金',
  'csdn.net': 'CSDN',
  'medium.com': 'Medium',
}
const TITLES = /^(?:个人简历|简历|求职简历|resume|résumé|curriculum vitae|cv)$/iu
/** A name has few words and none of what else stands in a head. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}\p{N}.'’· ,()（）-]{0,60}$/u
const MAX_LABEL_LENGTH = 100

/** Reads the lines over the first section, and those of a section about the person. */
export function readBasics(head: readonly Block[], personal: readonly Block[]): ReadBasics {
  const fields: Fields = {}
  const profiles: Profile[] = []
  const unread: string[] = []
  const title = head.find((block) => block.kind === 'heading')
  if (title && !TITLES.test(plain(title.text))) fields.name = plain(title.text)
  for (const block of [...head.filter((each) => each !== title), ...personal]) {
    const isPast = dateRanges(block.text).some(({ end }) => end !== undefined)
    if (isPast) unread.push(plain(block.text))
    for (const part of isPast ? [] : partsOf(withAddresses(block.text))) {
      if (!understood(part, fields, profiles)) unread.push(part)
    }
  }
  const rest = named(unread, fields, personal.length === 0)
  return { basics: basicsOf(fields, profiles, rest.summary), left: rest.left }
}

/** A line's facts: `a | b`, `a · b`, `姓名：a 性别：b`. */
function partsOf(text: string): readonly string[] {
  const bare = separateLabels(stripMarkdown(text))
  const parts = bare.split(/(?:(?<!\s)\s+)?[|｜\t•●]\s*|(?<!\s)\s+[·∙⋅–—-]\s+|(?<!\s)\s{2,}/u).map(plain)
  const facts: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const [name = '', value] = [parts[at], parts[at + 1]]
    const pair = labelOf(name.replace(/[:：]$/, '')) && value !== undefined && !/[:：]/.test(value)
    if (pair) at += 1
    if (name !== '') facts.push(pair ? `${name.replace(/[:：]$/, '')}: ${value}` : name)
  }
  return facts
}

function understood(part: string, fields: Fields, profiles: Profile[]): boolean {
  const [, name = '', value = ''] = /^([^:：]{1,40})\s*[:：]\s*(\S.*)$/u.exec(part) ?? []
  const label = labelOf(name)
  if (label === 'url' && keepUrl(value, fields, profiles)) return true
  if (label === 'phone' && EMAIL.test(value) && !PHONE.test(value)) fields.email ??= value
  else if (label) fields[label] ??= value
  else if (name !== '' && HOST.test(value) && !/^https?$/i.test(name)) keepProfile(name, value, profiles)
  else return bareFact(part, fields, profiles)
  return true
}

/** What needs no label to be known. */
function bareFact(part: string, fields: Fields, profiles: Profile[]): boolean {
  if (/^[男女]$/.test(part)) {
    fields['x-gender'] ??= part
    return true
  }
  if (HOST.test(part) && !part.includes('@')) return keepUrl(part, fields, profiles)
  const email = EMAIL.exec(part)?.[0]
  if (email) fields.email ??= email
  const rest = email ? part.replace(email, ' ') : part
  const phone = PHONE.exec(rest)?.[0]
  const isPhone = phone !== undefined && phone.replace(/\D/g, '').length >= 7
  if (isPhone) fields.phone ??= phone.trim()
  const words = (isPhone ? rest.replace(phone, ' ') : rest).replace(/[^\p{L}\p{N}]+/gu, '')
  return (email !== undefined || isPhone) && (words === '' || labelOf(words) !== undefined)
}

function keepUrl(url: string, fields: Fields, profiles: Profile[]): boolean {
  const host = HOST.exec(url)?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
  if (host === undefined) return false
  const network = Object.keys(NETWORKS).find((each) => host === each || host.endsWith(`.${each}`))
  if (network) keepProfile(NETWORKS[network] ?? network, url, profiles)
  else if (fields.url === undefined || fields.url === url) fields.url = url
  else keepProfile(host, url, profiles)
  return true
}

function keepProfile(network: string, url: string, profiles: Profile[]): void {
  if (profiles.some((profile) => profile.url === url)) return
  const username = HOST.exec(url)?.[2]
    ?.split('/')
    .findLast((part) => part !== '')
  profiles.push({ network, username, url })
}

/** Of what has no label the first is the name, the next what the person is; whole sentences are the summary. */
function named(
  parts: readonly string[],
  fields: Fields,
  sure: boolean,
): { summary?: string; left: string[] } {
  const unread: string[] = []
  const sentences: string[] = []
  for (const part of parts) {
    if (fields.name === undefined && NAME.test(part) && !TITLES.test(part)) fields.name = part
    else if (TITLES.test(part) || part === fields.name || part === fields.label) continue
    else if (part.length > MAX_LABEL_LENGTH || /[.。！!]$/.test(part)) sentences.push(part)
    else if (fields.location === undefined && isPlace(part)) fields.location = part
    else if (sure && fields.label === undefined && !/[:：\d]/.test(part)) fields.label = part
    else unread.push(part)
  }
  return { ...(sentences.length > 0 && { summary: sentences.join('\n') }), left: unread }
}

function placeOf(text: string): Place {
  const empty = { address: undefined, postalCode: undefined, countryCode: undefined }
  const parts = text.split(/(?:(?<!\s)\s+)?[,，]\s*/)
  const isAddress = parts.length > 2 || /\d/.test(text)
  const [city, region] = isAddress ? [] : parts
  return { ...empty, ...(isAddress && { address: text }), city, region }
}

function basicsOf(fields: Fields, profiles: readonly Profile[], summary: string | undefined): Basics {
  const { name, label, email, phone, url, location, ...own } = fields
  const values = { name, label, email, phone, url, summary, image: undefined }
  return { ...values, location: location && placeOf(location), profiles: [...profiles], ...own } as Basics
}
