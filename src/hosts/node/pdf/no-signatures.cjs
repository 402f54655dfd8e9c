// Takes the place of the libraries with which PDF documents are signed (esbuild.mjs): here they are only read.
module.exports = { CryptoEngine: Object, setEngine() {} };
