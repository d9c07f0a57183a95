import { lineAt, listAt, textAt, timeAt, valueAt } from '../json-fields.ts'
import { joinPlaces } from '../places/join-places.ts'
import { workplaceIn } from '../places/workplace.ts'
import { pathParts } from '../url-path.ts'
import { companyName, escapeHtml, htmlSection, payRange, type BoardFormat } from './board-format.ts'

const EU = 'eu:'

/** https://github.com/lever/postings-api. The slug of a company on the European host begins with `eu:`. */
export const lever: BoardFormat = {
  kind: 'lever',
  name: 'Lever',
  slugPattern: /^(eu:)?[\w.-]{1,100}$/,
  locate(url) {
    const isEuropean = url.hostname === 'jobs.eu.lever.co'
    if (!isEuropean && url.hostname !== 'jobs.lever.co') return {}
    const [site, id = ''] = pathParts(url)
    return {
      slug: isEuropean && site !== undefined ? EU + site : site,
      id: /^[\da-f-]{20,40}$/i.exec(id)?.[0],
    }
  },
  listUrl: (slug) => `${siteUrl(slug)}?mode=json`,
  postingUrl: ({ slug, id }) => `${siteUrl(slug)}/${encodeURIComponent(id)}?mode=json`,
  read(job, slug) {
    const title = lineAt(job, 'text')
    const location = lineAt(job, 'categories', 'location')
    const others = listAt(job, 'categories', 'allLocations').map((place) => lineAt(place))
    const commitment = lineAt(job, 'categories', 'commitment')
    const lists = listAt(job, 'lists').map((list) => {
      const items = textAt(list, 'content')
      return htmlSection(lineAt(list, 'text'), `<ul>${items}</ul>`)
    })
    // `per-year-salary`, `per-hour-wage`
    const period = /\bper-([a-z]+)\b/i.exec(lineAt(job, 'salaryRange', 'interval'))?.[1] ?? ''
    return {
      id: lineAt(job, 'id'),
      url: textAt(job, 'hostedUrl'),
      title,
      company: companyName(slug),
      location: joinPlaces([location, ...others]),
      workplace:
        workplaceIn(lineAt(job, 'workplaceType')) ?? workplaceIn(`${title} ${location} ${commitment}`),
      employmentType: commitment || null,
      salary: payRange(valueAt(job, 'salaryRange'), period),
      html: [
        textAt(job, 'description') || paragraphs(textAt(job, 'descriptionPlain')),
        ...lists,
        textAt(job, 'additional') || paragraphs(textAt(job, 'additionalPlain')),
      ].join('\n'),
      postedAt: timeAt(job, 'createdAt'),
    }
  },
}

function siteUrl(slug: string): string {
  const isEuropean = slug.startsWith(EU)
  const site = isEuropean ? slug.slice(EU.length) : slug
  return `https://api.${isEuropean ? 'eu.' : ''}lever.co/v0/postings/${encodeURIComponent(site)}`
}

function paragraphs(text: string): string {
  return escapeHtml(text)
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
}
