import { exampleCommands, type Example } from 'dragoman/modules'

/** Commands for the landing page. */
export function examples(origin: string): readonly Example[] {
  const { post } = exampleCommands(origin)
  return [
    {
      title: 'Add a job posting',
      words: 'Adding the same URL twice has no effect. POST /jobs/ingest reads a posting from a page.',
      command: post('/jobs', {
        title: 'Software Engineer',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
      }),
    },
    {
      title: 'Ask the jobs agent',
      words: 'The documented frames, as they come.',
      command: post('/jobs/chat', {
        messages: [{ role: 'user', content: '帮我搜索软件工程师职位' }],
        context: { activeFilters: { location: 'San Francisco' } },
      }),
    },
  ]
}
