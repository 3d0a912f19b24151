package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.RegistryRead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class AnswerSizesTest {
    private static final int ROOT = 20;
    private static final int ABSENT = -101;

    private final AnswerSizes sizes = new AnswerSizes(ROOT);

    @Test
    void aThousandItemsAndTheirChildrenAreOneRequest() {
        List<RegistryRead> reads = IntStream.range(0, 1_000)
                .boxed()
                .flatMap(item -> Stream.of(RegistryRead.data(path(item)), RegistryRead.children(path(item))))
                .toList();

        assertThat(sizes.cut(reads)).containsExactly(reads);
    }

    @Test
    void nothingIsNoRequest() {
        assertThat(sizes.cut(List.of())).isEmpty();
    }

    @Test
    void whatWasSeenToBeLargeIsCutAndKeepsItsOrder() {
        List<RegistryRead> reads = data(300);
        reads.forEach(read -> sizes.seen(read, data("x".repeat(4 * 1024))));

        List<List<RegistryRead>> requests = sizes.cut(reads);

        assertThat(requests).hasSize(3);
        assertThat(requests.stream().flatMap(List::stream)).containsExactlyElementsOf(reads);
        assertThat(requests)
                .allSatisfy(request -> assertThat(request.size() * 4 * 1024).isLessThan(AnswerSizes.MAX_BYTES));
    }

    @Test
    void whatIsTooLargeByItselfGoesAlone() {
        List<RegistryRead> reads = data(3);
        reads.subList(0, 2).forEach(read -> sizes.seen(read, data("x".repeat(AnswerSizes.MAX_BYTES))));

        assertThat(sizes.cut(reads)).containsExactly(reads.subList(0, 1), reads.subList(1, 2), reads.subList(2, 3));
    }

    @Test
    void theNamesOfManyChildrenCount() {
        List<RegistryRead> reads = List.of(RegistryRead.children("/a"), RegistryRead.children("/b"));
        List<String> names = IntStream.range(0, 20_000)
                .mapToObj(i -> "10.0.%d.%d@-@31415926".formatted(i / 256, i % 256))
                .toList();
        reads.forEach(read -> sizes.seen(read, new GetChildrenResult(names)));

        assertThat(sizes.cut(reads)).hasSize(2);
    }

    @Test
    void whatHasShrunkOrIsGoneIsForgotten() {
        List<RegistryRead> reads = data(2);
        reads.forEach(read -> sizes.seen(read, data("x".repeat(AnswerSizes.MAX_BYTES))));

        sizes.seen(reads.get(0), data("x"));
        sizes.seen(reads.get(1), new ErrorResult(ABSENT));

        assertThat(sizes.cut(reads)).hasSize(1);
    }

    @Test
    void longPathsCountInWhatIsAsked() {
        String job = "job".repeat(80);
        List<RegistryRead> reads = new ArrayList<>();
        for (int item = 0; item < 2_000; item++) {
            reads.add(RegistryRead.children("/" + job + path(item)));
        }

        assertThat(sizes.cut(reads)).hasSize(2);
    }

    private static List<RegistryRead> data(int items) {
        return IntStream.range(0, items)
                .mapToObj(item -> RegistryRead.data(path(item)))
                .toList();
    }

    private static String path(int item) {
        return "/orders/sharding/" + item;
    }

    private static GetDataResult data(String text) {
        return new GetDataResult(text.getBytes(StandardCharsets.UTF_8), new Stat());
    }
}
