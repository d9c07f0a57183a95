/** What compiled JSX calls, for the modules of agents. */
export { Fragment, jsx, jsxs } from 'react/jsx-runtime'
