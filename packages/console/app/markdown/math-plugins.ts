import 'katex/dist/katex.min.css'

export { default as rehype } from 'rehype-katex'
export { default as remark } from 'remark-math'
