import { lineAt, listAt, textAt, timeAt, valueAt } from '../json-fields.ts'
import { joinPlaceParts } from '../places/join-places.ts'
import { workplaceIn } from '../places/workplace.ts'
import { pathParts } from '../url-path.ts'
import { companyName, htmlSection, payRange, type BoardFormat } from './board-format.ts'

const API = 'https://api.smartrecruiters.com/v1/companies'
const PAGE_SIZE = 100
/** No company has more postings. A board that counts more would be read without end. */
const MAX_OFFSET = 20_000
const SECTIONS = ['jobDescription', 'qualifications', 'additionalInformation', 'companyDescription']

/** https://developers.smartrecruiters.com/docs/posting-api */
export const smartrecruiters: BoardFormat = {
  kind: 'smartrecruiters',
  name: 'SmartRecruiters',
  isBrief: true,
  slugPattern: /^[\w.-]{1,100}$/,
  locate(url) {
    if (!/^(?:jobs|careers)\.smartrecruiters\.com$/.test(url.hostname)) return {}
    const [slug = '', part = ''] = pathParts(url)
    // The title follows the id: 744000012345678-senior-engineer
    const id = /^(\d{6,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:-|$)/i.exec(part)?.[1]
    return { slug: ['', 'oneclick-ui', 'sr-jobs'].includes(slug) ? undefined : slug, id }
  },
  listUrl: (slug, offset) =>
    `${API}/${encodeURIComponent(slug)}/postings?limit=${PAGE_SIZE}&offset=${offset}`,
  postingUrl: ({ slug, id }) => `${API}/${encodeURIComponent(slug)}/postings/${encodeURIComponent(id)}`,
  listField: 'content',
  read(job, slug) {
    const id = lineAt(job, 'id')
    const title = lineAt(job, 'name')
    const place = valueAt(job, 'location')
    const site = encodeURIComponent(lineAt(job, 'company', 'identifier') || slug)
    // It writes countries as `us`.
    const country = lineAt(place, 'country').replace(/^[a-z]{2}$/, (code) => code.toUpperCase())
    const isRemote = valueAt(place, 'remote') === true
    const sections = SECTIONS.map((name) => valueAt(job, 'jobAd', 'sections', name))
    return {
      id,
      url: lineAt(job, 'postingUrl') || `https://jobs.smartrecruiters.com/${site}/${id}`,
      title,
      company: lineAt(job, 'company', 'name') || companyName(slug),
      location:
        lineAt(place, 'fullLocation') ||
        joinPlaceParts([lineAt(place, 'city'), lineAt(place, 'region'), country]),
      workplace: valueAt(place, 'hybrid') === true ? 'hybrid' : isRemote ? 'remote' : workplaceIn(title),
      employmentType: lineAt(job, 'typeOfEmployment', 'label') || null,
      salary: payRange(valueAt(job, 'compensation'), lineAt(job, 'compensation', 'period')),
      html: sections
        .map((section) => htmlSection(lineAt(section, 'title'), textAt(section, 'text')))
        .join('\n'),
      postedAt: timeAt(job, 'releasedDate'),
    }
  },
  nextOffset(answer) {
    const count = listAt(answer, 'content').length
    const next = Number(valueAt(answer, 'offset')) + count
    const total = Number(valueAt(answer, 'totalFound'))
    return count > 0 && next < Math.min(total, MAX_OFFSET) ? next : null
  },
}
