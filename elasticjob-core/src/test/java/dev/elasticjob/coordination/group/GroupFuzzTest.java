package dev.elasticjob.coordination.group;

import dev.elasticjob.testing.FuzzedForms;
import dev.elasticjob.testing.StoredFuzz;
import java.util.Optional;
import java.util.stream.Stream;

/** {@link StoredFuzz} of groups. */
class GroupFuzzTest implements FuzzedForms {
    static Stream<StoredFuzz> forms() {
        return Stream.of(StoredFuzz.of(
                "group", """
                {"stopping":true,"members":[{"id":"10.0.0.1@-@7","czxid":7},{"id":"10.0.0.2@-@7","czxid":8}],\
                "leftOut":[{"id":"10.0.0.3@-@7","czxid":9}]}""", data -> Optional.of(GroupCodec.write(GroupCodec.read(StoredFuzz.PATH, data)))));
    }
}
