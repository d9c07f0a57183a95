import { createWordIndex } from 'dragoman/database'

/** The full-text index of postings: a row of it has the id of its posting. A match in the title counts most. */
export const postingWords = createWordIndex({
  table: 'job_words',
  columns: { title: 10, company: 4, location: 4, description: 1 },
})
