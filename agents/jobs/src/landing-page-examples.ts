import { exampleCommands, type Example } from 'dragoman/modules'

/** Commands for the landing page. */
export function landingPageExamples(origin: string): readonly Example[] {
  const { post } = exampleCommands(origin)
  return [
    {
      title: 'Add a job posting',
      description: 'Adding the same URL twice has no effect. POST /jobs/ingest reads a posting from a page.',
      zh: {
        title: '添加一个职位',
        description: '同一网址只会添加一次。POST /jobs/ingest 可以读取网页上的职位。',
      },
      command: post('/jobs', {
        title: 'Software Engineer',
        company: 'Northwind',
        url: 'https://northwind.example/jobs/1',
        location: 'San Francisco',
      }),
    },
    {
      title: 'Ask the jobs agent',
      description: 'The documented frames, as they come.',
      zh: { title: '向求职助手提问', description: '按文档中的帧逐个返回。' },
      command: post('/jobs/chat', {
        messages: [{ role: 'user', content: '帮我搜索软件工程师职位' }],
        context: { activeFilters: { location: 'San Francisco' } },
      }),
    },
  ]
}
