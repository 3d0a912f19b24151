package com.example.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.verify;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.engine.ElasticJobEngine;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;

/** A slice of the web, which has no jobs. */
@WebMvcTest(BillingController.class)
class BillingControllerTest {
    @MockitoBean
    private JobAdmin admin;

    @MockitoBean
    private Bills bills;

    @Test
    void aRequestTriggersTheJob(@Autowired MockMvc web, @Autowired ApplicationContext context) throws Exception {
        given(admin.trigger("billing")).willReturn(CompletableFuture.completedFuture(null));

        web.perform(post("/billing")).andExpect(status().isOk());

        verify(admin).trigger("billing");
        assertThat(context.getBeanNamesForType(ElasticJobEngine.class)).isEmpty();
    }
}
