package dev.elasticjob.definition;

import java.util.List;

/** The kinds that every instance has, in the order in which people are told of them. */
final class BuiltInKinds {
    static final List<KindRules> ALL =
            List.of(CodeRules.simple(), CodeRules.dataflow(), new ScriptRules(), new HttpRules());

    private BuiltInKinds() {}
}
