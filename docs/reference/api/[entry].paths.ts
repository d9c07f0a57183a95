import { apiPages } from '../../.vitepress/api-pages.ts'

export default { paths: apiPages }
