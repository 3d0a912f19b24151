package dev.elasticjob.admin.table;

import java.util.List;

/** What a command would do, as far as the registry showed it a moment ago. */
public sealed interface DryRun permits Preview, ChangePreview {
    /** What would come of it. */
    Preview.Outcome outcome();

    /** In the order in which people want to know them. */
    List<Effect> effects();
}
