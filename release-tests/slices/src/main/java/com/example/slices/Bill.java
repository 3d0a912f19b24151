package com.example.slices;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class Bill {
    @Id
    @GeneratedValue
    private Long id;

    private int item;

    protected Bill() {}

    Bill(int item) {
        this.item = item;
    }

    int item() {
        return item;
    }
}
