package com.example.slices;

import org.springframework.data.jpa.repository.JpaRepository;

interface Bills extends JpaRepository<Bill, Long> {
    long countByItem(int item);
}
