package dev.elasticjob.registry.curator;

/**
 * The chroot of the connect string doesn't exist. It is never created: below a misspelled chroot, this application
 * would have a tree of its own, and run each item a second time.
 */
public final class ChrootMissingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String chroot;

    ChrootMissingException(String chroot) {
        super(("The chroot \"%s\" in \"elasticjob.registry.connect-string\" was expected to exist, but doesn't."
                        + " Create that node, or remove it from the property.")
                .formatted(chroot));
        this.chroot = chroot;
    }

    /** The path of the node, from the root of the servers. */
    public String chroot() {
        return chroot;
    }
}
