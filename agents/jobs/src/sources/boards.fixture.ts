import type { ServerResponse } from 'node:http'

/** A board of Workable as it answers. For tests. */
export type Company = { name: string; jobs: { shortcode: string; title: string; [field: string]: unknown }[] }

/** A posting of Workable as it answers. */
export function job(shortcode: string, title: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    shortcode,
    title,
    url: `https://apply.workable.com/j/${shortcode}`,
    city: 'Berlin',
    country: 'Germany',
    description: `<p>${title}.</p>`,
    ...more,
  }
}

const AT = 'apply.workable.com/api/v1/widget/accounts/'

/** Answers as Workable does for these companies. */
export function workableOf(companies: Readonly<Record<string, Company | undefined>>) {
  return (address: string, response: ServerResponse): void => {
    const slug = address.slice(AT.length).replace('?details=true', '')
    const company = address.startsWith(AT) ? companies[slug] : undefined
    response.writeHead(company ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(company ?? {}))
  }
}
