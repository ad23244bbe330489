export { documentGlobs, matchesAny, readConfig, settingsFor } from './config.js'
export { configSchema } from './definition.js'
