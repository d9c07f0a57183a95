import type { ConsoleKit } from '@dragoman/console/view'

import { importRows, readCsv } from './import-csv.ts'

const examples = {
  en: () =>
    Promise.all([import('../../demo/en/postings.csv?raw'), import('../../demo/en/mara-lindqvist.md?raw')]),
  zh: () => Promise.all([import('../../demo/zh/postings.csv?raw'), import('../../demo/zh/lin-lan.md?raw')]),
} as const

/** Adds the postings of the demo folder, and its resume if the user has none. */
export async function addExamples(
  kit: ConsoleKit,
  language: string,
  tell: (done: number) => void,
): Promise<void> {
  const [{ default: csv }, { default: content }] = await examples[language === 'zh' ? 'zh' : 'en']()
  const { resumes } = await kit.request<{ resumes: readonly unknown[] }>('/jobs/resumes?limit=1')
  if (resumes.length === 0) await kit.request('/jobs/resumes', { body: { content, isDefault: true } })
  const { errors } = await importRows(kit, readCsv(csv), tell)
  const [first] = errors
  if (first) throw new Error(first.message)
}
