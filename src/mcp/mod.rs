pub(crate) fn serve() -> anyhow::Result<()> {
    anyhow::bail!("not yet")
}
