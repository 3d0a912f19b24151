package com.example.slices;

/** Writes bills. */
class Clerk {
    private final Bills bills;

    Clerk(Bills bills) {
        this.bills = bills;
    }

    void write(int item) {
        bills.save(new Bill(item));
    }
}
