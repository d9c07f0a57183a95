/** The address of a file in compressed form: see vite.config.ts. */
declare module '*?gzip' {
  const url: string
  export default url
}
