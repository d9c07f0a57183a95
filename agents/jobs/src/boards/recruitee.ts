import { z } from 'zod'

import { salaryOf } from '../salary/salary.ts'
import { workplaceIn, type Workplace } from '../places/workplace.ts'
import {
  address,
  companyOf,
  flag,
  html,
  json,
  listOf,
  moment,
  needed,
  pathOf,
  place,
  places,
  readAll,
  text,
  under,
  type BoardFormat,
  type RawPosting,
} from './format.ts'

/** Hosts of Recruitee's own, that belong to no company. */
const NO_COMPANY = new Set(['www', 'api', 'app', 'docs', 'support', 'auth', 'careers'])

const spot = z.object({ city: text, state: text, country: text })
const shape = z.object({
  id: needed,
  slug: needed,
  title: needed,
  careers_url: address,
  company_name: text,
  status: text,
  location: text,
  city: text,
  country: text,
  locations: listOf(spot),
  remote: flag,
  hybrid: flag,
  on_site: flag,
  employment_type_code: text,
  salary: z.object({ min: json, max: json, currency: text, period: text }).nullish().catch(null),
  published_at: moment,
  created_at: moment,
  description: html,
  requirements: html,
})
type Offer = z.infer<typeof shape>

/** https://docs.recruitee.com/reference/intro-to-careers-site-api */
export const recruitee: BoardFormat = {
  kind: 'recruitee',
  name: 'Recruitee',
  // It is part of a host's name.
  slug: /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i,
  slugOf,
  postingOf(url) {
    const slug = slugOf(url)
    const path = pathOf(url)
    // A language may stand before it: /en/o/senior-engineer
    const id = path[path.indexOf('o') + 1]
    return slug !== undefined && path.includes('o') && id !== undefined ? { slug, id } : undefined
  },
  listAt: (slug) => new URL(`https://${slug}.recruitee.com/api/offers/`),
  read: (answer, slug) =>
    readAll(
      shape.refine(({ status }) => status === '' || status === 'published'),
      under('offers', answer),
      (offer) => posting(offer, slug),
    ),
}

function slugOf(url: URL): string | undefined {
  const company = /^([a-z\d-]+)\.recruitee\.com$/.exec(url.hostname)?.[1]
  return company === undefined || NO_COMPANY.has(company) ? undefined : company
}

function posting(offer: Offer, slug: string): RawPosting {
  const spots = offer.locations.map(({ city, state, country }) => place(city, state, country))
  const first = place(offer.city, offer.country) || offer.location
  return {
    id: offer.slug,
    url: offer.careers_url,
    title: offer.title,
    company: offer.company_name || companyOf(slug),
    location: places(...(spots.some(Boolean) ? spots : [first])),
    workplace: workplace(offer),
    employmentType: offer.employment_type_code.replaceAll('_', ' ') || null,
    salary: offer.salary
      ? salaryOf({
          currency: offer.salary.currency,
          value: {
            minValue: offer.salary.min,
            maxValue: offer.salary.max,
            unitText: offer.salary.period,
          },
        })
      : null,
    html: [offer.description, offer.requirements].join('\n'),
    postedAt: offer.published_at ?? offer.created_at,
    validThrough: null,
  }
}

/** More than one may be set: then it is left open, but for hybrid, which is both. */
function workplace({ title, remote, hybrid, on_site }: Offer): Workplace | null {
  if (hybrid === true) return 'hybrid'
  if (remote === true) return on_site === true ? null : 'remote'
  return on_site === true ? 'onsite' : workplaceIn(title)
}
